class OrderError(Exception):
    def __init__(self, status, detail, retry=False):
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.retry = retry


def check(code):
    if code >= 500:
        raise OrderError(code, "shop is closed", retry=True)
    if code >= 400:
        raise OrderError(code, "no such order")
    return code
