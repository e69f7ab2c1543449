"""The concolic engine: terms, proxies, traces and the constraint tree; no solver."""
