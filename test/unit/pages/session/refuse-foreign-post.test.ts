import { expect, test } from 'vitest'
import { refuseForeignPost } from '../../../../src/pages/session/refuse-foreign-post.ts'

const PUBLIC_URL = 'https://give.example/'

const send = (headers: Record<string, string>) => () =>
  refuseForeignPost(PUBLIC_URL, (name) => headers[name])

test.each([
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
  { origin: 'https://give.example' },
  { origin: 'http://192.0.2.7:3000', host: '192.0.2.7:3000' },
])('takes a form of our own pages: %o', (headers) => {
  expect(send(headers)).not.toThrow()
})

test.each([
  {},
  { host: 'give.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://give.example' },
  { 'sec-fetch-site': 'none' },
  { origin: 'null', host: 'give.example' },
  { origin: 'https://other.example', host: 'give.example' },
  { origin: 'http://give.example', host: 'internal:3000' },
  { origin: 'https://give.example.evil.example', host: 'give.example' },
  { origin: 'https://give.example@evil.example', host: 'give.example' },
])('refuses another form: %o', (headers) => {
  expect(send(headers)).toThrow('This form was not sent from our own pages.')
})
