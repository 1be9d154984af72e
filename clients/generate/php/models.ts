import type { ClientModel, Field, ObjectModel, Type } from '../model.ts'
import { isSecret } from '../secrets.ts'
import { docBlock, filled, startFile } from './file.ts'
import { constantName, createClassNames, modelClass, quote } from './names.ts'
import { createPhp, type Php } from './types.ts'

type Files = (readonly [path: string, text: string])[]

/** Makes a class for each object that clients read or write field by field. */
export const emitModels = (model: ClientModel, head: string): Files => {
  const classOf = createClassNames(model)
  const events = new Map(model.events.map(({ type, object }) => [object, type]))
  const plain = model.objects.filter(({ body, verbatim }) => !body && !verbatim)
  return plain.map((read) => {
    const own = classOf(read.name)
    const isData = own.namespace === 'Fundproof\\Event' && !events.has(read.name)
    const object = isData ? dataOf(read) : read
    const file = startFile(own, head)
    const php = createPhp(model, file)
    const event = events.get(object.name)
    const parent = event ? 'Fundproof\\Event' : 'Fundproof\\Model'
    const extended = object.out ? ` extends ${file.use(parent)}` : ''
    const adds = object.in ? ` implements ${file.use('Fundproof\\Internal\\Input')}` : ''
    const parts = [
      event === undefined ? '' : `    public const TYPE = ${quote(event)};\n\n`,
      secretsOf(object),
      object.in ? `    use ${file.use('Fundproof\\Internal\\Writes')};\n\n` : '',
      constructorOf(object, php, event !== undefined),
    ]
    const doc = docBlock([event ? `The event \`${event}\`.` : sentence(object)])
    const body = `${doc}final class ${own.name}${extended}${adds}\n{\n${parts.join('')}}\n`
    return file.finish(body)
  })
}

const sentence = ({ description, in: isIn, out }: ObjectModel): string => {
  if (description !== null) return description
  return isIn ? `An object in requests${out ? ' and in answers' : ''}.` : 'An object in answers.'
}

/** The data of an event. Stored events of an earlier version may lack any field. */
const dataOf = (object: ObjectModel): ObjectModel => ({
  ...object,
  description: 'The data of an event. A field that an earlier version did not send is null.',
  fields: object.fields.map((field) => ({ ...field, nullable: true })),
})

const secretsOf = (object: ObjectModel): string => {
  const names = object.fields
    .filter((field) => isSecret(object, field))
    .map(({ name }) => quote(name))
  return names.length === 0 ? '' : `    protected const SECRETS = [${names.join(', ')}];\n\n`
}

/** Puts required fields first, because PHP requires this order. */
const ordered = (fields: readonly Field[], isIn: boolean): Field[] =>
  isIn
    ? fields.toSorted((one, other) => Number(other.required) - Number(one.required))
    : [...fields]

const constructorOf = (object: ObjectModel, php: Php, isEvent: boolean): string => {
  const fields = ordered(object.fields, object.in)
  const amounts = fields.filter(({ type }) => object.in && type.kind === 'amount')
  const declared = amounts.map(
    ({ name, nullable, required }) =>
      `    public readonly ${nullable || !required ? '?' : ''}string $${name};\n\n`,
  )
  const isInherited = ({ name }: Field) => isEvent && ['id', 'event', 'created'].includes(name)
  const documented = fields.filter((field) => !isInherited(field))
  const doc = docBlock(
    documented.map((field) => paramOf(field, php, object.in)),
    '    ',
  )
  const lines = fields.map((field) => {
    const secret = isSecret(object, field) ? '#[\\SensitiveParameter] ' : ''
    const rule = isEvent ? '' : php.rule(field, object.out)
    const promoted = amounts.includes(field) || isInherited(field) ? '' : 'public readonly '
    const { type, initial } = object.in ? php.argument(field) : answerField(field, php)
    return `        ${secret}${rule}${promoted}${type} $${field.name}${initial},\n`
  })
  const sets = amounts.map(
    ({ name }) => `        $this->${name} = ${php.amount()}::write($${name});\n`,
  )
  if (isEvent) sets.push('        parent::__construct($id, $event, $created);\n')
  const body = sets.length === 0 ? '    ) {}\n' : `    ) {\n${sets.join('')}    }\n`
  return `${declared.join('')}${doc}    public function __construct(\n${lines.join('')}${body}`
}

const answerField = ({ type, nullable, required }: Field, php: Php) => {
  const base = php.native(type, false)
  const canBeNull = base !== 'mixed' && (nullable || !required)
  return { type: canBeNull ? php.orNull(base) : base, initial: '' }
}

/** Documents a field if its native type and its name are not enough. */
const paramOf = (field: Field, php: Php, isIn: boolean): string | null => {
  const { type, name, description, nullable, required } = field
  const docType = isIn
    ? php.argument(field).docType
    : php.documented(type, false) + (nullable || !required ? '|null' : '')
  const more = [description, knownValues(type)].filter(Boolean).join(' ')
  const isPlain = type.kind !== 'list' && type.kind !== 'map' && !(isIn && type.kind === 'amount')
  return more === '' && isPlain ? null : `@param ${docType} $${name} ${more}`.trimEnd()
}

/** Names the class that has the values of an enum as constants. */
export const knownValues = (type: Type): string => {
  if (type.kind === 'enum') return `One of {@see \\Fundproof\\Model\\${type.name}}.`
  if (type.kind === 'literal') return `\`${type.value}\`.`
  return type.kind === 'list' && type.of.kind === 'enum' ? knownValues(type.of) : ''
}

/** Makes a class of constants for each enum, and for the error codes. */
export const emitEnums = ({ enums, codes }: ClientModel, head: string): Files =>
  [...enums.filter(({ name }) => name !== 'ErrorCode'), { name: 'ErrorCode', values: codes }].map(
    ({ name, values }) => {
      const own = modelClass(name)
      const file = startFile(own, head)
      const constants = values.map(
        (value) => `    public const ${constantName(value)} = ${quote(value)};\n`,
      )
      const names = values.map((value) => `self::${constantName(value)}`)
      const all = filled('public const VALUES = [', names, '];', '    ')
      const doc = docBlock([
        'The values that this version knows. A later service may send other values.',
      ])
      return file.finish(`${doc}final class ${name}\n{\n${constants.join('')}\n${all}}\n`)
    },
  )

/** Makes the classes that choose the right class for a member of a union. */
export const emitUnions = (model: ClientModel, head: string): Files =>
  model.unions
    .filter(({ name }) => name !== 'FundproofEvent')
    .map((union) => {
      const own = modelClass(union.name ?? '')
      const file = startFile(own, head)
      const php = createPhp(model, file)
      const arms = union.of.map((member) => {
        const fields = model.objects.find(
          ({ name }) => member.kind === 'object' && name === member.name,
        )?.fields
        const type = fields?.find(({ wire }) => wire === union.by)?.type
        const value = type?.kind === 'literal' ? String(type.value) : ''
        const read = php.reader(member)?.replace('(...)', '($wire)') ?? '$wire'
        return `            ${quote(value)} => ${read},\n`
      })
      const doc = docBlock(['Reads the object that the service sent. A newer one stays as it is.'])
      return file.finish(`${doc}final class ${own.name}
{
    /** @internal */
    public static function read(${file.use('stdClass')} $wire): ${php.native(union, false)}
    {
        return match ($wire->${union.by} ?? null) {
${arms.join('')}            default => $wire,
        };
    }
}
`)
    })
