"""The synchronous client, made from the asynchronous one."""
