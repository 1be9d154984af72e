import { Field, SelectField } from '../components/field.tsx'
import type { Language } from '../shared/languages.ts'
import type { PayableAsset } from '../shared/payment.ts'
import { donateTexts } from '../texts/donate/index.ts'

type Props = {
  lang: Language
  assets: readonly PayableAsset[]
  value: string
  currency: string
  hint?: string
  error: string | undefined
  required?: boolean
}

/** An amount and, if the campaign accepts several assets, the choice of its currency. */
export const AmountField = ({ lang, assets, currency, ...field }: Props) => {
  const t = donateTexts[lang]
  const symbols = assets.map(({ symbol }) => symbol)
  const [first] = symbols
  const hasChoice = symbols.length > 1
  return (
    <div class="amount">
      <Field
        name="amount"
        label={t.amount}
        {...field}
        inputMode="decimal"
        autocomplete="off"
        {...(!hasChoice && first && { suffix: first })}
      />
      {hasChoice ? (
        <SelectField
          name="currency"
          label={t.currency}
          value={currency}
          options={symbols.map((symbol) => ({ value: symbol, label: symbol }))}
        />
      ) : (
        <input type="hidden" name="currency" value={first} />
      )}
    </div>
  )
}
