import type { SignProps } from '../shared/sign-props.ts'

type Props = SignProps & {
  /** Shown if the browser runs no scripts. */
  noScript: string
}

/** The island that signs a message with a wallet. Its page must have the script `sign`. */
export const SignPart = ({ noScript, ...props }: Props) => (
  <div class="sign" data-island="sign" data-props={JSON.stringify(props)}>
    <p class="sign-waiting soft">{props.texts.looking}</p>
    <noscript>
      <p>{noScript}</p>
    </noscript>
  </div>
)
