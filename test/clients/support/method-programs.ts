import { join } from 'node:path'
import type { ClientModel } from '../../../clients/generate/model.ts'
import { SAMPLE_LANGUAGES } from '../../../clients/generate/samples.ts'
import { CLIENTS } from './programs.ts'

/** A method by its place in the tree of names, and a call of it as the document shows it. */
type Step = { name: string; call: string }

const stepsOf = (model: ClientModel, language: keyof typeof SAMPLE_LANGUAGES): Step[] =>
  model.operations.map((operation) => ({
    name: operation.at.join('.'),
    call: SAMPLE_LANGUAGES[language].call(model, operation),
  }))

/** The sample of a stream goes on for ever, so the program leaves it after one event. */
const once = ({ name, call }: Step, leave: string): string =>
  name === 'events.stream' ? call.replace(/^(.*event(?:\.|->)event.*)$/m, `$1\n${leave}`) : call

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

/** Programs that call each method once with its sample, and print `ok <method>` after each. */
export const javascriptProgram = (model: ClientModel): string => {
  const steps = stepsOf(model, 'javascript').map((step) => ({
    ...step,
    call: once(step, '  break'),
  }))
  const library = JSON.stringify(join(CLIENTS, 'javascript/src/index.ts'))
  const head = SAMPLE_LANGUAGES.javascript.head(steps.map(({ call }) => call).join('\n'))
  const calls = steps.map(
    ({ name, call }) => `{\n${indent(call, '  ')}\n}\nconsole.log('ok ${name}')`,
  )
  return `${head.replace("'fundproof'", library)}\n${calls.join('\n')}\n`
}

/** @param isAsync whether to use the async client */
export const pythonProgram = (model: ClientModel, isAsync: boolean): string => {
  const steps = stepsOf(model, 'python').map((step) => ({
    ...step,
    call: once(step, '    break'),
  }))
  const head = SAMPLE_LANGUAGES.python.head(steps.map(({ call }) => call).join('\n'))
  const calls = steps.map(({ name, call }) => `${call}\nprint("ok ${name}")`).join('\n')
  if (!isAsync) return `${head}\n${calls}\n`
  const awaited = calls
    .replaceAll(/^for /gm, 'async for ')
    .replaceAll(/^(\w+ = |)fundproof\./gm, '$1await fundproof.')
  const asyncHead = head.replaceAll(/\bFundproof\b/g, 'AsyncFundproof')
  return `import asyncio\n${asyncHead}\n\nasync def main():\n${indent(awaited, '    ')}\n\n\nasyncio.run(main())\n`
}

export const phpProgram = (model: ClientModel): string => {
  const steps = stepsOf(model, 'php').map((step) => ({ ...step, call: once(step, '    break;') }))
  const head = SAMPLE_LANGUAGES.php.head(steps.map(({ call }) => call).join('\n'))
  const calls = steps.map(({ name, call }) => `${call}\necho "ok ${name}\\n";`)
  return `<?php\n\n${head.replace('\n\n', `\n\nrequire '${CLIENTS}/php/init.php';\n\n`)}\n${calls.join('\n')}\n`
}
