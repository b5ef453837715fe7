"""A client for Recordwatch, which watches data behind URLs and says which rows are new, changed or deleted."""

from ._async.client import AsyncRecordwatch
from ._sync.client import Recordwatch
from .errors import (
    ApiConnectionError,
    ApiError,
    AuthenticationError,
    ConflictError,
    FeedGoneError,
    ForbiddenError,
    GoneError,
    NotFoundError,
    PlanError,
    RateLimitError,
    RecordwatchError,
    RequestError,
    SecretNotShownError,
    ServerError,
    SignatureError,
    UnreadableAnswerError,
    ValidationError,
)
from .places import AsyncPlaceStore, FilePlaceStore, MemoryPlaceStore, PlaceStore

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "AsyncPlaceStore",
    "AsyncRecordwatch",
    "AuthenticationError",
    "ConflictError",
    "FeedGoneError",
    "FilePlaceStore",
    "ForbiddenError",
    "GoneError",
    "MemoryPlaceStore",
    "NotFoundError",
    "PlaceStore",
    "PlanError",
    "RateLimitError",
    "Recordwatch",
    "RecordwatchError",
    "RequestError",
    "SecretNotShownError",
    "ServerError",
    "SignatureError",
    "UnreadableAnswerError",
    "ValidationError",
]
