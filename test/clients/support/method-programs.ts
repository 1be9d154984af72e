import { join } from 'node:path'
import type { ClientModel, OperationModel, Type } from '../../../clients/generate/model.ts'
import { SAMPLE_LANGUAGES } from '../../../clients/generate/samples.ts'
import { readInterface } from '../../support/interface.ts'
import { CLIENTS } from './programs.ts'

/** A call of a method, named by its place in the client, with an example of its request. */
export type Step = { name: string; operation: OperationModel }

const examples = new Map(
  readInterface().operations.map(({ operationId, examples }) => [operationId, examples ?? {}]),
)

/**
 * Makes a step for each method with its sample, and for each other example of its body. A method
 * with optional query parameters has another step that sets those with a fixed form.
 */
export const stepsOf = (model: ClientModel): Step[] =>
  model.operations.flatMap((operation) => {
    const { at, id, example, without, query } = operation
    const name = at.join('.')
    const bodies = Object.entries(examples.get(id) ?? {}).filter(([kind]) => kind !== 'minimal')
    const optional = query.flatMap(({ wire, type }) => {
      const value = someValue(model, type)
      return value === undefined ? [] : [[wire, value]]
    })
    return [
      { name, operation },
      ...bodies.map(([kind, body]) => {
        const fields = Object.entries(body as object).filter(([wire]) => !without.includes(wire))
        const other = { ...example, body: Object.fromEntries(fields) }
        return { name: `${name} ${kind}`, operation: { ...operation, example: other } }
      }),
      ...(optional.length === 0
        ? []
        : [
            {
              name: `${name} query`,
              operation: {
                ...operation,
                example: {
                  ...example,
                  query: { ...example.query, ...Object.fromEntries(optional) },
                },
              },
            },
          ]),
    ]
  })

/** A valid value for a parameter, or undefined for a text, which may have any form. */
const someValue = (model: ClientModel, type: Type): unknown => {
  switch (type.kind) {
    case 'integer':
      return 1
    case 'time':
      return '2026-01-31T12:00:00.000Z'
    case 'literal':
      return type.value
    case 'enum':
      return model.enums.find(({ name }) => name === type.name)?.values[0]
    case 'list':
      return type.of.kind === 'enum'
        ? model.enums.find(({ name }) => name === (type.of as { name: string }).name)?.values
        : undefined
    case 'union':
      return type.of.map((member) => someValue(model, member))[0]
    default:
      return undefined
  }
}

type Call = { name: string; call: string }

const callsOf = (
  model: ClientModel,
  language: keyof typeof SAMPLE_LANGUAGES,
  leave: string,
): Call[] =>
  stepsOf(model).map(({ name, operation }) => ({
    name,
    call: once(SAMPLE_LANGUAGES[language].call(model, operation), leave),
  }))

/** Adds `leave` to the sample of a stream, which would never end, after its first event. */
const once = (call: string, leave: string): string =>
  call.includes('.stream(') || call.includes('->stream(')
    ? call.replace(/^(.*event(?:\.|->)event.*)$/m, `$1\n${leave}`)
    : call

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)

/** A program that makes each step, and prints `ok <step>` after it. */
export const javascriptProgram = (model: ClientModel): string => {
  const steps = callsOf(model, 'javascript', '  break')
  const library = JSON.stringify(join(CLIENTS, 'javascript/src/index.ts'))
  const head = SAMPLE_LANGUAGES.javascript.head(steps.map(({ call }) => call).join('\n'))
  const calls = steps.map(
    ({ name, call }) => `{\n${indent(call, '  ')}\n}\nconsole.log('ok ${name}')`,
  )
  return `${head.replace("'fundproof'", library)}\n${calls.join('\n')}\n`
}

/** @param isAsync whether to use the async client */
export const pythonProgram = (model: ClientModel, isAsync: boolean): string => {
  const steps = callsOf(model, 'python', '    break')
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
  const steps = callsOf(model, 'php', '    break;')
  const head = SAMPLE_LANGUAGES.php.head(steps.map(({ call }) => call).join('\n'))
  const calls = steps.map(({ name, call }) => `${call}\necho "ok ${name}\\n";`)
  return `<?php\n\n${head.replace('\n\n', `\n\nrequire '${CLIENTS}/php/init.php';\n\n`)}\n${calls.join('\n')}\n`
}
