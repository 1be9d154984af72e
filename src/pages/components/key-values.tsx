import type { ComponentChildren } from 'preact'

export type KeyValue = { key: string; hint?: ComponentChildren; value: ComponentChildren }

/** Facts, one in a line. `null` and `false` leave out a line. */
export const KeyValues = ({ items }: { items: readonly (KeyValue | null | false)[] }) => (
  <dl class="key-values">
    {items.map(
      (item) =>
        item && (
          <div key={item.key}>
            <dt>{item.key}</dt>
            <dd>
              {item.value}
              {item.hint && <span class="hint">{item.hint}</span>}
            </dd>
          </div>
        ),
    )}
  </dl>
)
