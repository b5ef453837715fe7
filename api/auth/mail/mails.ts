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

Open this link to finish. It works once, within 24 hours:

${url}

If it was not you, delete this mail: no account was created.

${GREETING}
`,
});

export const knownMail = (to: string, baseUrl: string): Mail => ({
  to,
  subject: 'You have an account already',
  text: `Somebody, probably you, signed up for Recordwatch with this address, which has an account already.

Sign in: ${baseUrl}/dashboard/sign-in
Forgot the password? ${baseUrl}/dashboard/forgot-password

If it was not you, you need not do anything.

${GREETING}
`,
});

export const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password for Recordwatch.

Open this link to set one. It works once, within an hour:

${url}

If it was not you, delete this mail: your password is unchanged.

${GREETING}
`,
});

export const deletedMail = (to: string): Mail => ({
  to,
  subject: 'Your account was deleted',
  text: `Your Recordwatch account was deleted, with its records, history, webhooks and API keys.

Nobody can sign in to it, and none of its keys work. The rest of its data is being erased.
You can sign up again with this address at any time. The new account will be empty.

If you did not ask for this, reply to the operator of this service, who can see when it happened.

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
  text: `Somebody, probably you, wanted to use this address for another Recordwatch account. It has an account already, so
nothing has changed.

To use the address for the other account, first delete the account that has it, or change that account's address.

If it was not you, you need not do anything.

${GREETING}
`,
});

/** To the replaced address. */
export const changedEmailMail = (to: string, now: string, url: string): Mail => ({
  to,
  subject: 'Your email address was changed',
  text: `Your Recordwatch account now has the address ${now}. You can no longer sign in with ${to}.

If this was not you, open this link within 7 days. It restores this address, ends all sessions, and asks you for a
new password:

${url}

${GREETING}
`,
});

/** To the address that the operator replaced. */
export const operatorChangedEmailMail = (to: string, now: string): Mail => ({
  to,
  subject: 'Your email address was changed',
  text: `The operator of this service changed the address of your Recordwatch account to ${now}. You can no longer sign in with
${to}.

If you did not ask for this, tell the operator.

${GREETING}
`,
});
