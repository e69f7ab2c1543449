"""Coroutines that wait for what they are given."""

import asyncio


async def retry(action, attempts: int = 3):
    """The result of an action that is awaited, and tried again where the connection fails."""
    for attempt in range(attempts):
        try:
            return await action()
        except ConnectionError:
            if attempt == attempts - 1:
                raise
    return None


async def gather_sizes(pages: dict[str, str]) -> dict[str, int]:
    """The sizes of some pages."""

    async def size(text: str) -> int:
        await asyncio.sleep(0)
        return len(text)

    sizes = await asyncio.gather(*[size(text) for text in pages.values()])
    return dict(zip(pages, sizes, strict=True))
