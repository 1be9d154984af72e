import type { ClientModel } from '../model.ts'
import { className, moduleName, snakeCase } from './names.ts'

/**
 * Resources with methods that are written by hand. Their class is in a module of the package
 * itself.
 */
const BY_HAND: Readonly<Record<string, string>> = {
  donations: '.._donations',
  webhooks: '.._webhooks',
}

/** The tree of resources. Each resource is imported at its first use. */
export const clientFile = ({ operations }: ClientModel): [string, string] => {
  const resources = [...new Set(operations.map(({ at }) => at[0]))]
  const groups = new Set(resources.flatMap((one) => (one.includes('.') ? one.split('.')[0] : [])))
  const classes = ['', 'Async'].map((prefix) => {
    const inner = [...groups].map(
      (group = '') => `

class ${prefix}${className(group)}:
    """The methods of \`\`${group}\`\`."""

    def __init__(self, core: Core) -> None:
        self._core = core
${resources
  .filter((one) => one.startsWith(`${group}.`))
  .map((one) => property(one, prefix))
  .join('')}`,
    )
    const own = [...resources.filter((one) => !one.includes('.')), ...groups]
    return `${inner.join('')}

class ${prefix}Resources(BaseClient):
    """The tree of resources."""
${own.map((one = '') => property(one, prefix, groups.has(one))).join('')}`
  })
  const imports = resources.map((one) => {
    const name = className(one)
    return `    from ${placeOf(one)} import Async${name}, ${name}\n`
  })
  const body = `"""The tree of resources of both clients."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .._base import BaseClient
from .._resource import load

if TYPE_CHECKING:
    from .._core import Core
${imports.sort().join('')}${classes.join('')}`
  return ['_generated/client.py', body]
}

const placeOf = (resource: string): string =>
  BY_HAND[resource] ?? `.resources.${moduleName(resource)}`

const property = (resource: string, prefix: string, isGroup = false): string => {
  const name = snakeCase(resource.split('.').at(-1) ?? '')
  const type = `${prefix}${className(resource)}`
  const made = isGroup
    ? `${type}(self._core)`
    : `load(self._core, "${placeOf(resource)}", "${type}")`
  return `
    @cached_property
    def ${name}(self) -> ${type}:
        """The methods of \`\`${resource}\`\`."""
        return ${made}
`
}
