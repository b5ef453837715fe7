// The check of every answer in the API's tests finds each fault of an answer.
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../api/openapi/examples/records.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { contractOf, type ObservedAnswer } from '../../support/api/contract.ts';

const faultsOf = contractOf(OPERATIONS);
const record = RESOURCES['Record'] as Record<string, unknown>;
const problem = RESOURCES['Problem'] as Record<string, unknown>;

const answer = (changes: Partial<ObservedAnswer> = {}): ObservedAnswer => ({
  method: 'GET',
  url: '/v1/sources/shop-prices?x=1',
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'abc' },
  text: JSON.stringify(record),
  ...changes,
});

const refusal = (status: number, code: string): ObservedAnswer =>
  answer({
    status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    text: JSON.stringify({ ...problem, status, code }),
  });

describe('an answer is right', () => {
  it.each([
    ['with the resource that is declared', answer()],
    ['with an error that the operation may give', refusal(404, 'not_found')],
    ['without content to HEAD', answer({ method: 'HEAD', text: '' })],
    ['without content to a caller that has it', answer({ status: 304, text: '', headers: {} })],
    ['when there is no such path', { ...refusal(404, 'not_found'), url: '/v1/nothing' }],
    ['when the path takes another method', { ...refusal(405, 'method_not_allowed'), method: 'PUT' }],
  ])('%s', (_words, right) => {
    expect(faultsOf(right)).toEqual([]);
  });
});

describe('an answer is wrong', () => {
  const { createdAt: _, ...incomplete } = record;
  it.each([
    ['with a status that is not declared', answer({ status: 201 })],
    ['with an error that the operation never gives', refusal(400, 'invalid_cursor')],
    ['with a status that no operation gives', { ...refusal(418, 'not_found'), status: 418 }],
    ['with a member that is not declared', answer({ text: JSON.stringify({ ...record, secret: 'x' }) })],
    ['without a member that is declared', answer({ text: JSON.stringify(incomplete) })],
    ['with a time that is none', answer({ text: JSON.stringify({ ...record, createdAt: 'today' }) })],
    ['as another media type', answer({ headers: { 'content-type': 'text/html' } })],
    ['with a header that is not declared', answer({ headers: { ...answer().headers, location: '/' } })],
    ['with content where none is declared', answer({ status: 304 })],
    ['when there is no such operation', answer({ url: '/v1/nothing' })],
    ['when the path takes another method', answer({ method: 'PUT' })],
  ])('%s', (_words, wrong) => {
    expect(faultsOf(wrong)).not.toEqual([]);
  });
});
