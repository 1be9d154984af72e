import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

/**
 * Makes Node load `.tsx` files, which it cannot do itself. Files with the ending `.ts` do not pass
 * here. A module that imports a `.tsx` file must do so with `import()` after this module has run,
 * because Node links static imports before.
 */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(url)
    const { code } = transformSync(readFileSync(file, 'utf8'), {
      loader: 'tsx',
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      sourcemap: 'inline',
      sourcefile: file,
      target: 'node24',
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
