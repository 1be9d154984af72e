import { STATUS_OF } from '../../edge/errors.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { MEANINGS } from '../openapi/meanings.ts'
import { REMEDIES } from '../openapi/remedies.ts'

/** The page of error codes, ordered by status, with a remedy for each code. */
export const errorsPage = (): string => {
  const codes = (Object.keys(STATUS_OF) as ErrorCode[]).sort(
    (one, other) => STATUS_OF[one] - STATUS_OF[other],
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Fundproof error codes</title>
    <link rel="icon" href="../favicon.ico" />
    <link rel="stylesheet" href="reference.css" />
  </head>
  <body class="page">
    <header>
      <a class="brand" href="../">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 2.5 4.5 5.2v6.1c0 4.6 3.1 8 7.5 10.2 4.4-2.2 7.5-5.6 7.5-10.2V5.2z" />
          <path d="m8.4 12 2.6 2.6 4.6-4.9" />
        </svg>
        Fundproof
      </a>
      <a href="../docs">Reference</a>
    </header>
    <main>
      <h1>Error codes</h1>
      <p>Every answer of 400 and above is <code>{success: false, error, code, requestId, details?}</code>.
      Decide by <code>code</code>, show <code>error</code> to people. More codes may come: treat one that
      you do not know as its status.</p>
      <div class="wide" tabindex="0" role="region" aria-label="Error codes"><table>
        <thead><tr><th>Code</th><th>Status</th><th>Meaning</th><th>What to do</th></tr></thead>
        <tbody>
${codes.map(rowOf).join('\n')}
        </tbody>
      </table></div>
    </main>
  </body>
</html>
`
}

const rowOf = (code: ErrorCode): string =>
  `<tr id="${code}"><td><code>${code}</code></td><td>${STATUS_OF[code]}</td><td>${inline(MEANINGS[code])}</td><td>${inline(REMEDIES[code])}</td></tr>`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const inline = (text: string): string =>
  text
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
