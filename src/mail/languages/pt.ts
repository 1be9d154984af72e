import { listsOf, type MailTexts } from '../templates.ts'

export const pt: MailTexts = {
  verify_email: ({ code, minutes }) => ({
    subject: `${code} é o seu código da Fundproof`,
    text: `O seu código para confirmar este endereço de e-mail é

    ${code}

É válido durante ${minutes} minutos. Se não o pediu, pode ignorar esta mensagem.
`,
  }),
  reset_password: ({ code, minutes }) => ({
    subject: 'O seu código para escolher uma nova palavra-passe',
    text: `O seu código para escolher uma nova palavra-passe da Fundproof é

    ${code}

É válido durante ${minutes} minutos. Se não o pediu, ignore esta mensagem: a sua palavra-passe não
muda. Não dê este código a ninguém.
`,
  }),
  endpoint_disabled: ({ url, reason }) => ({
    subject: 'Um dos seus endpoints de webhook foi desativado',
    text: `Já não enviamos eventos para

    ${url}

${
  reason === 'gone'
    ? 'Respondeu 410 Gone, o que nos pede para parar.'
    : 'Todas as tentativas dos últimos cinco dias falharam.'
}
Os eventos que ocorram entretanto não se perdem: constam da sua conta.
`,
  }),
  password_changed: ({ isKept, wallets, webhooks, campaigns, roles }) => ({
    subject: 'A sua palavra-passe foi alterada',
    text: `${
      isKept
        ? `A sua palavra-passe da Fundproof foi alterada numa sessão aberta. Todas as outras sessões terminaram.
As chaves de API, os webhooks e as carteiras continuam ativos.`
        : `A sua palavra-passe da Fundproof foi alterada. Todas as outras sessões e as chaves de API terminaram,
os webhooks estão em pausa, e uma carteira só pode entrar depois de a associar de novo.`
    }
${listsOf('Isto fica na sua conta. Remova o que não é seu:', [
  ['Carteiras', wallets],
  ['Webhooks', webhooks],
  ['Campanhas', campaigns],
  ['Funções', roles],
])}
Se não foi você, escolha já uma nova palavra-passe, com um código que enviamos para este endereço.
`,
  }),
  change_email: ({ code, minutes }) => ({
    subject: `${code} é o seu código da Fundproof`,
    text: `O seu código para usar este endereço de e-mail na sua conta da Fundproof é

    ${code}

É válido durante ${minutes} minutos. Se não o pediu, ignore esta mensagem: nada muda. Não dê este
código a ninguém.
`,
  }),
  email_taken: () => ({
    subject: 'Este endereço já tem uma conta da Fundproof',
    text: `Uma conta da Fundproof ia receber este endereço de e-mail, que já pertence a outra conta. Nada mudou.

Se o pediu, entre na conta que tem este endereço e dê-lhe outro ou elimine-a. Se não o pediu,
ignore esta mensagem.
`,
  }),
  account_changed: (values) =>
    values.change === 'wallet'
      ? {
          subject: 'Uma carteira foi associada à sua conta',
          text: `Esta carteira pode agora entrar na sua conta da Fundproof:

    ${values.wallet}

Se não foi você, escolha já uma nova palavra-passe, com um código que enviamos para este endereço.
Depois disso, a carteira já não pode entrar.
`,
        }
      : {
          subject: 'O seu endereço de e-mail foi alterado',
          text: `A sua conta da Fundproof tem a partir de agora outro endereço de e-mail. Esta é a última mensagem para
o anterior.

Se não foi você, avise já o operador deste serviço.
`,
        },
}
