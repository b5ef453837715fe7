// The body of a delivery in the form of each channel for people.
import type { NoticeFormat } from '../deliveries.ts';
import { discordBody } from './discord.ts';
import { mailBody } from './mail.ts';
import type { Notice } from './notice.ts';
import { ntfyBody } from './ntfy.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';

interface NoticeTarget {
  /** Of the webhook. */
  url: string;
  /** Ends the mails. */
  stopUrl: string;
}

/** JSON text, within the limits of the channel. */
export const noticeBody = (format: NoticeFormat, notice: Notice, target: NoticeTarget): string =>
  BODIES[format](notice, target);

const BODIES: Readonly<Record<NoticeFormat, (notice: Notice, target: NoticeTarget) => string>> = {
  slack: slackBody,
  teams: teamsBody,
  discord: discordBody,
  ntfy: (notice, { url }) => ntfyBody(notice, url),
  mail: (notice, { stopUrl }) => mailBody(notice, stopUrl),
};
