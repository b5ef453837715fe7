"""The asynchronous client. The synchronous one is made from it."""
