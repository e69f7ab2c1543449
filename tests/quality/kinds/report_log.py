"""What is logged."""

import logging

logger = logging.getLogger(__name__)


def check_sizes(sizes: dict[str, int], limit: int = 100) -> list[str]:
    """The names whose size exceeds a limit, which are logged."""
    found = []
    for name, size in sizes.items():
        if size < 0:
            logger.error("negative size of %s", name)
            continue
        if size > limit:
            logger.warning("%s is too large: %d", name, size)
            found.append(name)
    if not found:
        logger.info("all %d sizes are fine", len(sizes))
    return found
