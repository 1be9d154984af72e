import { bodyFields, type ClientModel, type Field, type OperationModel } from '../model.ts'
import { docBlock, filled, listed, type PhpFile, startFile } from './file.ts'
import { knownValues } from './models.ts'
import { type ClassName, quote, resourceClass } from './names.ts'
import { createPhp, type Php } from './types.ts'

type Files = (readonly [path: string, text: string])[]

/** Resources with methods that are written by hand, and the traits with these methods. */
const BY_HAND: Readonly<Record<string, string>> = {
  donations: 'Fundproof\\Internal\\WaitsForDonations',
}

/** Operations that sign in. They are sent without the client's token or key. */
const SIGN_IN: ReadonlySet<string> = new Set([
  'register',
  'login',
  'refresh',
  'resetPassword',
  'challengeSignIn',
  'signInWithWallet',
])

const SECRETS = /password|token|signature|^code$/i

/** Makes a class for each resource, and the trait that adds all resources to the client. */
export const emitResources = (model: ClientModel, head: string): Files => {
  const byResource = Map.groupBy(model.operations, ({ at: [resource] }) => resource)
  const resources = [...byResource].map(([resource, operations]) =>
    emitResource(model, { resource, operations }, head),
  )
  const names = [...byResource.keys()]
  const groups = [...new Set(names.flatMap((name) => name.split('.').slice(0, -1)))]
  return [
    ...resources,
    ...groups.map((group) => emitGroup(names, group, head)),
    emitTree([...names.filter((name) => !name.includes('.')), ...groups], head),
  ]
}

type OneResource = { resource: string; operations: readonly OperationModel[] }

const emitResource = (model: ClientModel, { resource, operations }: OneResource, head: string) => {
  const own = resourceClass(resource)
  const file = startFile(own, head)
  const php = createPhp(model, file)
  const trait = BY_HAND[resource]
  const uses = trait === undefined ? '' : `    use ${file.use(trait)};\n\n`
  const methods = operations.map((operation) => methodOf(model, operation, { php, file }))
  const sender = file.use('Fundproof\\Internal\\Sender')
  const doc = docBlock([`The methods under \`${resource.replaceAll('.', '->')}\` of the client.`])
  return file.finish(`${doc}final class ${own.name}
{
${uses}    /** @internal */
    public function __construct(private readonly ${sender} $sender) {}
${methods.join('')}}
`)
}

type Writing = { php: Php; file: PhpFile }

const methodOf = (
  model: ClientModel,
  operation: OperationModel,
  { php, file }: Writing,
): string => {
  const body = bodyFields(model, operation)
  const { pathFields, query, at, summary } = operation
  const given = [...pathFields, ...query, ...body].toSorted(
    (one, other) => Number(other.required) - Number(one.required),
  )
  const names = given.map(({ name }) => name)
  if (new Set(names).size < names.length || names.includes('options')) {
    throw new Error(`Two arguments of ${at.join('.')} have one name: ${names}`)
  }
  const options = file.use('Fundproof\\RequestOptions')
  const uploads = operation.body?.kind === 'file'
  const upload = uploads ? ['string $bytes', 'string $type'] : []
  const isQuery = (field: Field) => query.includes(field)
  const declared = given.map((field) => {
    const { type, initial } = isQuery(field) ? queryArgument(field, php) : php.argument(field)
    const secret = SECRETS.test(field.name) ? '#[\\SensitiveParameter] ' : ''
    return `${secret}${type} $${field.name}${initial}`
  })
  const { returns, docReturns, statement } = answerOf(operation, { php, file })
  const types = uploads && operation.body?.kind === 'file' ? operation.body.types.join(', ') : ''
  const doc = docBlock(
    [
      summary,
      ...given.map((field) => {
        const { type, docType } = isQuery(field) ? queryArgument(field, php) : php.argument(field)
        const more = [field.description, knownValues(field.type)].filter(Boolean).join(' ')
        const isPlain = more === '' && docType.replace(/^(.*)\|null$/, '?$1') === type
        return isPlain || docType === type
          ? null
          : `@param ${docType} $${field.name} ${more}`.trimEnd()
      }),
      uploads ? `@param string $type One of: ${types}.` : null,
      docReturns === returns ? null : `@return ${docReturns}`,
      `@throws ${file.use('Fundproof\\Error\\ApiError')}`,
    ],
    '    ',
  )
  const all = [...declared, ...upload, `?${options} $options = null`]
  return `
${doc}${headOf(at[1], all, returns)}${statement(requestOf(operation, body, { php, file }))}    }
`
}

/**
 * Writes the head of a method. Its brace is on a new line if the arguments are on the line of the
 * name.
 */
const headOf = (name: string, parameters: readonly string[], returns: string): string => {
  const before = `public function ${name}(`
  const head = listed(before, parameters, `): ${returns}`, '    ')
  return head.trimEnd().includes('\n') ? `${head.trimEnd()} {\n` : `${head}    {\n`
}

/** A list parameter of a query also accepts one value. */
const queryArgument = (field: Field, php: Php) => {
  const { type, docType, initial } = php.argument(field)
  return field.type.kind === 'list'
    ? { type: 'array|string|null', docType: docType.replace('|null', '|string|null'), initial }
    : { type, docType, initial }
}

/** The statements that prepare a request, and the expression of its query. */
type Request = { query: string; before: string }

const requestOf = (
  operation: OperationModel,
  body: readonly Field[],
  { php, file }: Writing,
): Request => {
  const { pathFields, query, fixedQuery, method, answer, id } = operation
  const values = pathFields.map(({ name }) => `, $${name}`).join('')
  const path =
    values === ''
      ? quote(operation.path)
      : `${file.use('Fundproof\\Internal\\Path')}::of(${quote(operation.path)}${values})`
  const entries = [
    ...query.map(({ wire, name }) => `${quote(wire)} => $${name}`),
    ...Object.entries(fixedQuery).map(([wire, value]) => `${quote(wire)} => ${quote(value)}`),
  ]
  const hasQuery = entries.length > 0
  const queryText = hasQuery ? filled('$query = [', entries, '];') : ''
  const request = { query: hasQuery ? '$query' : '[]' }
  if (answer.kind === 'stream') return { ...request, before: queryText }
  const fields = body.map(
    (field) => `${quote(field.wire)} => ${php.write(field, `$${field.name}`)}`,
  )
  const json = operation.body?.kind === 'json' ? file.use('Fundproof\\Internal\\Wire') : null
  const accept = { file: '*/*', csv: 'text/csv' }[answer.kind as string]
  const parts = [
    quote(method),
    path,
    '$options',
    ...(hasQuery ? ['$query'] : []),
    ...(json ? ['body: $body'] : []),
    ...(operation.body?.kind === 'file' ? ['bytes: $bytes', 'type: $type'] : []),
    ...(accept === undefined ? [] : [`accept: ${quote(accept)}`]),
    ...(SIGN_IN.has(id) ? ['signed: false'] : []),
  ]
  const call = listed(`$call = new ${file.use('Fundproof\\Internal\\Call')}(`, parts, ');')
  const bodyText = json ? listed(`$body = ${json}::object([`, fields, ']);') : ''
  return { ...request, before: queryText + bodyText + call }
}

type Answer = { returns: string; docReturns: string; statement: (request: Request) => string }

const answerOf = ({ answer }: OperationModel, { php, file }: Writing): Answer => {
  const send = '$this->sender->send($call)'
  const simple = (returns: string, end: string): Answer => ({
    returns,
    docReturns: returns,
    statement: ({ before }) => `${before}        return ${send}${end};\n`,
  })
  switch (answer.kind) {
    case 'none':
      return { ...simple('void', ''), statement: ({ before }) => `${before}        ${send};\n` }
    case 'file':
      return simple(file.use('Fundproof\\File'), '->file()')
    case 'csv':
      return simple('string', '->body')
    case 'stream': {
      const stream = file.use('Fundproof\\EventStream')
      return {
        returns: stream,
        docReturns: stream,
        statement: ({ before, query }) =>
          `${before}        return new ${stream}($this->sender, ${query}, $options);\n`,
      }
    }
    case 'list': {
      const page = file.use('Fundproof\\Page')
      const lists = file.use('Fundproof\\Internal\\Lists')
      const by = answer.by === 'cursor' ? 'byCursor' : 'byPosition'
      const reader = php.reader(answer.item) ?? 'static fn (mixed $item): mixed => $item'
      return {
        returns: page,
        docReturns: `${page}<${php.documented(answer.item, false)}>`,
        statement: ({ before }) => {
          const parts = ['$this->sender', '$call', quote(answer.wire), reader]
          return before + listed(`return ${lists}::${by}(`, parts, ');')
        },
      }
    }
    default: {
      const wire = answer.kind === 'content' ? quote(answer.wire) : 'null'
      const returns = php.native(answer.type, false)
      const reader =
        php.reader(answer.type) ?? `static fn (${returns} $content): ${returns} => $content`
      return {
        returns,
        docReturns: php.documented(answer.type, false),
        statement: ({ before }) => `${before}        return ${send}->read(${wire}, ${reader});\n`,
      }
    }
  }
}

const emitGroup = (names: readonly string[], group: string, head: string) => {
  const own = resourceClass(group)
  const file = startFile(own, head)
  const inner = names.filter((name) => name.startsWith(`${group}.`))
  return file.finish(
    `${docBlock([`The resources under \`${group}\` of the client.`])}final class ${own.name}
{
${declare(inner, file)}
    /** @internal */
    public function __construct(${file.use('Fundproof\\Internal\\Sender')} $sender)
    {
${construct(inner, file)}    }
}
`,
  )
}

const emitTree = (names: readonly string[], head: string) => {
  const own: ClassName = { namespace: 'Fundproof\\Resource', name: 'Resources' }
  const file = startFile(own, head)
  return file.finish(`${docBlock(['The resources of the client.'])}trait Resources
{
${declare(names, file)}
    private function makeResources(${file.use('Fundproof\\Internal\\Sender')} $sender): void
    {
${construct(names, file)}    }
}
`)
}

const property = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

const declare = (names: readonly string[], file: PhpFile): string =>
  names
    .map((name) => `    public readonly ${file.use(resourceClass(name))} $${property(name)};\n`)
    .join('')

const construct = (names: readonly string[], file: PhpFile): string =>
  names
    .map(
      (name) =>
        `        $this->${property(name)} = new ${file.use(resourceClass(name))}($sender);\n`,
    )
    .join('')
