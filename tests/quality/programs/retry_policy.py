"""When and how often something that failed is tried again: fifteen options."""


class RetryPolicy:
    """Decides after each failure whether, and after how many seconds, to try again."""

    def __init__(
        self,
        attempts=3,
        delay=1.0,
        factor=2.0,
        maximum=60.0,
        jitter=0.0,
        strategy="exponential",
        timeout=None,
        retry_on=(Exception,),
        give_up_on=(),
        statuses=(429, 500, 502, 503),
        methods=("GET", "PUT", "DELETE"),
        respect_header=True,
        on_retry=None,
        on_give_up=None,
        reraise=True,
    ):
        if attempts < 1:
            raise ValueError("attempts must be at least 1")
        if delay < 0 or maximum < delay:
            raise ValueError("delay must be between 0 and maximum")
        if strategy not in ("constant", "linear", "exponential", "fibonacci"):
            raise ValueError(f"unknown strategy: {strategy}")
        if not 0 <= jitter <= 1:
            raise ValueError("jitter is a share between 0 and 1")
        self.attempts = attempts
        self.delay = delay
        self.factor = factor
        self.maximum = maximum
        self.jitter = jitter
        self.strategy = strategy
        self.timeout = timeout
        self.retry_on = tuple(retry_on)
        self.give_up_on = tuple(give_up_on)
        self.statuses = frozenset(statuses)
        self.methods = frozenset(method.upper() for method in methods)
        self.respect_header = respect_header
        self.on_retry = on_retry
        self.on_give_up = on_give_up
        self.reraise = reraise
        self.elapsed = 0.0
        self.failures = 0

    def pause(self, attempt, share=0.5):
        """Seconds before an attempt, counted from 1; share places it within the jitter."""
        if self.strategy == "constant":
            seconds = self.delay
        elif self.strategy == "linear":
            seconds = self.delay * attempt
        elif self.strategy == "fibonacci":
            before, seconds = 0.0, self.delay
            for _ in range(attempt - 1):
                before, seconds = seconds, before + seconds
        else:
            seconds = self.delay * self.factor ** (attempt - 1)
        if self.jitter:
            seconds *= 1 + self.jitter * (2 * share - 1)
        return min(seconds, self.maximum)

    def after_error(self, error):
        """Seconds to wait after an exception; None to give up."""
        if isinstance(error, self.give_up_on) or not isinstance(error, self.retry_on):
            return self._give_up(error)
        return self._next(error)

    def after_status(self, status, method="GET", headers=None):
        """Seconds to wait after an answer of a server; 0 where it was no failure."""
        if status not in self.statuses:
            return 0
        if method.upper() not in self.methods:
            return self._give_up(status)
        if self.respect_header and headers and "Retry-After" in headers:
            value = headers["Retry-After"]
            if value.isdigit():
                return self._next(status, min(float(value), self.maximum))
        return self._next(status)

    def _next(self, cause, seconds=None):
        self.failures += 1
        if self.failures >= self.attempts:
            return self._give_up(cause)
        if seconds is None:
            seconds = self.pause(self.failures)
        if self.timeout is not None and self.elapsed + seconds > self.timeout:
            return self._give_up(cause)
        self.elapsed += seconds
        if self.on_retry is not None:
            self.on_retry(self.failures, seconds)
        return seconds

    def _give_up(self, cause):
        if self.on_give_up is not None:
            self.on_give_up(cause)
        if self.reraise and isinstance(cause, BaseException):
            raise cause
        return None
