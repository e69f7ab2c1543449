def read_frame(connection):
    """The payload of one frame."""
    head = connection.recv(2)
    if head[:1] == b"\x01":
        return connection.recv(head[1])
    if head == b"":
        raise EOFError("closed")
    connection.sendall(b"\x15")
    return None


def pump(source, target):
    total = 0
    while True:
        chunk = source.read(4)
        if not chunk:
            break
        if chunk.startswith(b"#"):
            continue
        target.write(chunk)
        total += len(chunk)
    return total
