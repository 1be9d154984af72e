import type { CheckView } from '../../shared/check/check-state.ts'
import { fill } from '../../shared/fill.ts'
import { FileField } from '../field.tsx'
import { Hash } from '../hash.tsx'

/** The keys that signed, and the field for a file that the donor kept. */
export const KeptFile = ({ texts, state }: CheckView) => {
  const { outcome, keptFile, wrong } = state
  const [before, after] = texts.signedBy.split('{key}')
  return (
    <div class="check-key">
      {outcome?.keyIds.map((key) => (
        <p key={key}>
          {before}
          <Hash value={key} full />
          {after}
        </p>
      ))}
      <FileField
        name="kept"
        label={texts.compare}
        hint={keptFile ? fill(texts.comparedWith, { file: keptFile }) : texts.compareHint}
        error={wrong === 'kept' ? texts.unknownFile : undefined}
      />
    </div>
  )
}
