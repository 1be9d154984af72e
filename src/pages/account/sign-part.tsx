import type { Context } from '../../db/context.ts'
import type { ChallengeView } from '../../domain/people/index.ts'
import type { SignProps } from '../components/sign-props.ts'
import { type PageAnswer, send } from '../page.ts'

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

/**
 * Reads the wallet that asks for a message. A wallet may be on a chain that the service does not
 * follow. Then the first chain is used, because the signature of a key is valid on all chains.
 */
export const walletOf = ({ settings }: Context, form: URLSearchParams) => {
  const address = form.get('address') ?? ''
  const chainId = Number(form.get('chainId'))
  return settings.assets.chainIds.includes(chainId) ? { address, chainId } : { address }
}

/** Answers the script that signs with a wallet. */
export const challengeAnswer = ({ nonce, message }: ChallengeView): PageAnswer =>
  send({ status: 200, text: JSON.stringify({ nonce, message }) })
