// Where links of mails lead: to pages of the dashboard.

/** In the fragment, which browsers send nowhere and programs that follow links do not use up. */
export const linkUrl = (baseUrl: string, token: string): string => `${baseUrl}/dashboard/link#${token}`;

export const resetUrl = (baseUrl: string, token: string): string =>
  `${baseUrl}/dashboard/reset-password#${token}`;
