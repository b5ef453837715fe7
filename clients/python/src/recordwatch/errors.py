"""What calls raise: one class for each family of errors. `code` says exactly what happened (docs/errors.md)."""

from __future__ import annotations

from typing import Any

from ._json import read_json


class RecordwatchError(Exception):
    """Everything that the client raises by itself."""

    code: str = "client"


class ApiConnectionError(RecordwatchError):
    """No complete answer arrived. A request that changes something may have been carried out."""

    code = "unreachable"


class UnreadableAnswerError(RecordwatchError):
    """The answer is not one of Recordwatch, but for example a proxy's."""

    code = "unreadable"

    def __init__(self, base_url: str) -> None:
        super().__init__(
            f"The service at {base_url} did not answer as Recordwatch does. Check that its address is right."
        )
        self._base_url = base_url

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._base_url,)


class SecretNotShownError(RecordwatchError):
    """The request was carried out before its answer was lost, and its secret is not shown a second time."""

    code = "secret_not_shown"

    def __init__(self, id: str | None) -> None:
        super().__init__(
            f"{id or 'It'} was created, but the answer with its secret was lost. "
            "Delete it and create another, or rotate its secret."
        )
        self.id = id


class SignatureError(RecordwatchError):
    """The body of a webhook was not signed with the secret, was changed, or is older than five minutes."""

    code = "signature_invalid"


class ApiError(RecordwatchError):
    """The API refused a request."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None) -> None:
        super().__init__(problem.get("detail") or f"The server answered {status}.")
        self.status = status
        #: Stable. `unreadable` if the answer is not the API's, but for example a proxy's.
        self.code = str(problem.get("code") or "unreadable")
        #: Identifies the request in the service's log.
        self.request_id: str | None = problem.get("requestId")
        #: Every fault of the request: `pointer`, `code`, `detail`.
        self.errors: list[dict[str, str]] = _faults_of(problem.get("errors"))
        #: The place of the first fault: a JSON pointer into the body, or the name of a parameter.
        self.pointer: str | None = self.errors[0]["pointer"] if self.errors else None
        #: How many seconds the API asks to wait before the request is repeated.
        self.retry_after = retry_after
        #: With `plan_required`: where to get a paid tier, if the operator has set it.
        self.upgrade_url: str | None = problem.get("upgradeUrl")
        self._problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self._problem, self.retry_after)


def _faults_of(errors: Any) -> list[dict[str, str]]:
    """A proxy may have errors of its own, of any shape."""
    listed = errors if isinstance(errors, list) else []
    return [each for each in listed if isinstance(each, dict) and isinstance(each.get("pointer"), str)]


class RequestError(ApiError):
    """400 and other faults of the request itself: an unknown parameter, a cursor of another list, a body too large."""


class AuthenticationError(ApiError):
    """401: the credential is missing, unknown, revoked or expired."""


class PlanError(ApiError):
    """402: the account's plan does not include this."""


class ForbiddenError(ApiError):
    """403: the credential's scope does not allow this."""


class NotFoundError(ApiError):
    """404: it does not exist, or the credential cannot see it."""


class ConflictError(ApiError):
    """409: the present state does not allow the request."""


class GoneError(ApiError):
    """410: it existed, and no longer does."""


class FeedGoneError(GoneError):
    """The feed cannot continue after the stored place: the events after it are gone, or it is of another feed."""


class ValidationError(ApiError):
    """422: a field is missing or has a value that is not allowed. `errors` lists every fault."""


class RateLimitError(ApiError):
    """429: too many requests, after all repetitions."""


class ServerError(ApiError):
    """5xx: a fault of the service, or of a proxy in front of it, after all repetitions."""


FAMILIES: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    402: PlanError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: ValidationError,
    429: RateLimitError,
}


# The members of a problem that are texts.
TEXTS = {"title", "detail", "code", "requestId", "upgradeUrl"}


def api_error(status: int, text: str, retry_after: float | None = None) -> ApiError:
    """The error of a refusal. A proxy may have written `text`."""
    family = FAMILIES.get(status)
    if family is None:
        family = ServerError if status >= 500 else RequestError if status >= 400 else ApiError
    try:
        problem: Any = read_json(text)
    except ValueError:
        problem = None
    return family(status, _readable(problem) if isinstance(problem, dict) else {}, retry_after)


def _readable(problem: dict[str, Any]) -> dict[str, Any]:
    """Without texts that are none: a proxy may have a `code` that is a number."""
    return {name: value for name, value in problem.items() if name not in TEXTS or isinstance(value, str)}


def is_foreign(error: RecordwatchError) -> bool:
    """Whether another server answered in place of the service, such as a proxy."""
    return isinstance(error, (ApiError, UnreadableAnswerError)) and error.code == UnreadableAnswerError.code


def feed_gone(gone: GoneError) -> FeedGoneError:
    detail = f"{gone} Clear the stored place, and follow again."
    problem = {"code": gone.code, "requestId": gone.request_id, "errors": gone.errors, "detail": detail}
    return FeedGoneError(gone.status, problem)
