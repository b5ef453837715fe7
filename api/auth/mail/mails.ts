// The mails, as plain text.

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

const GREETING = 'Recordwatch';

export const confirmMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your email address',
  text: `Somebody, probably you, signed up for Recordwatch with this address.

Open this link to finish it. It works once, within 24 hours:

${url}

If it was not you, delete this mail: nothing has been made.

${GREETING}
`,
});

export const knownMail = (to: string, baseUrl: string): Mail => ({
  to,
  subject: 'You have an account already',
  text: `Somebody, probably you, signed up for Recordwatch with this address, which has an account already.

Sign in: ${baseUrl}/dashboard/sign-in
Forgot the password? ${baseUrl}/dashboard/forgot-password

If it was not you, there is nothing to do.

${GREETING}
`,
});

export const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password for Recordwatch.

Open this link to set one. It works once, within an hour:

${url}

If it was not you, delete this mail: your password stays as it is.

${GREETING}
`,
});

export const deletedMail = (to: string): Mail => ({
  to,
  subject: 'Your account was deleted',
  text: `Your Recordwatch account was deleted, with its records, history, webhooks and API keys.

Nobody can sign in to it, and nothing in it works any more. What is left of its data is being erased.
You can sign up again with this address at any time; nothing of the old account will be there.

If you did not ask for this, reply to whoever runs this service: they can see when it happened.

${GREETING}
`,
});

export const changeEmailMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your new email address',
  text: `Somebody, probably you, wants to sign in to Recordwatch with this address from now on.

Open this link in the browser in which you are signed in. It works once, within 24 hours:

${url}

If it was not you, delete this mail: nothing has changed.

${GREETING}
`,
});

export const takenEmailMail = (to: string): Mail => ({
  to,
  subject: 'This address has an account already',
  text: `Somebody, probably you, wanted to sign in to another Recordwatch account with this address. It has an account already, so
nothing has changed.

To use the address for the other account, first delete the account that has it, or give that one another address.

If it was not you, there is nothing to do.

${GREETING}
`,
});

/** To the replaced address. */
export const changedEmailMail = (to: string, now: string, url: string): Mail => ({
  to,
  subject: 'Your email address was changed',
  text: `Your Recordwatch account now has the address ${now}. You can no longer sign in with ${to}.

If this was not you, open this link within 7 days. It brings this address back, ends all sessions, and has you set a
new password:

${url}

${GREETING}
`,
});

/** To the address that the operator replaced. */
export const operatorChangedEmailMail = (to: string, now: string): Mail => ({
  to,
  subject: 'Your email address was changed',
  text: `Whoever runs this service gave your Recordwatch account the address ${now}. You can no longer sign in with ${to}.

If you did not ask for this, tell them.

${GREETING}
`,
});
