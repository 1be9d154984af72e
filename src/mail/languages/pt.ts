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
}
