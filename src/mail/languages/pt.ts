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
  password_changed: ({ wallets, webhooks, campaigns, roles }) => {
    const remaining = listsOf([
      ['Carteiras', wallets],
      ['Webhooks', webhooks],
      ['Campanhas', campaigns],
      ['Funções', roles],
    ])
    return {
      subject: 'A sua palavra-passe foi alterada',
      text: `A sua palavra-passe da Fundproof foi alterada com um código que enviámos para este endereço. Todas as
sessões e chaves de API terminaram, e todos os webhooks estão em pausa.

${
  remaining === ''
    ? 'Não há mais nada na sua conta.'
    : `Isto fica na sua conta. Remova o que não é seu:

${remaining}`
}
`,
    }
  },
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

Se o pediu, inicie sessão na conta que tem este endereço e dê-lhe outro ou elimine-a. Se não o pediu,
ignore esta mensagem.
`,
  }),
  account_changed: ({ change }) =>
    change === 'password'
      ? {
          subject: 'A sua palavra-passe foi alterada',
          text: `A palavra-passe da sua conta da Fundproof foi alterada por uma sessão que indicou a anterior. Todas as
outras sessões terminaram. As chaves de API e os webhooks continuam ativos.

Se não foi você, escolha já uma nova palavra-passe, com um código que enviamos para este endereço.
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
