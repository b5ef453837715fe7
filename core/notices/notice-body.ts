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
export function noticeBody(format: NoticeFormat, notice: Notice, { url, stopUrl }: NoticeTarget): string {
  switch (format) {
    case 'slack':
      return slackBody(notice);
    case 'teams':
      return teamsBody(notice);
    case 'discord':
      return discordBody(notice);
    case 'ntfy':
      return ntfyBody(notice, url);
    case 'mail':
      return mailBody(notice, stopUrl);
  }
}
