import os


def memory(module):
    "Free megabytes of two commands, of which each has its own form."
    rc, out, err = module.run_command("vmstat | tail -1")
    pages = int(out.split(" ")[3])
    rc, out, err = module.run_command("getconf PAGESIZE")
    if rc != 0:
        raise RuntimeError("no page size")
    return pages * int(out)


def product(load):
    "What the machine is, by its vendor and its family."
    if load.content("/sys/vendor") == "Red Hat":
        if load.content("/sys/family") == "RHV":
            return "rhv"
        return "red hat"
    return "unknown"


def manager():
    if os.path.exists("/run/systemd") and not os.path.exists("/sbin/openrc"):
        return "systemd"
    return "other"


def first_word(line):
    "The word before the first blank, of lines with a mark."
    if line.startswith("#"):
        return ""
    return line.strip().partition(" ")[0]
