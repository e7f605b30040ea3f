import type { Texts } from './texts';

const MESSAGES = { SMS: '広告SMS', EMAIL: '広告メール', WHATSAPP: 'WhatsAppの広告メッセージ' };

export const ja: Texts = {
  messages: {
    root: {
      title: '短縮リンク用のアドレスです',
      text: 'このアドレスのリンクは、別のページにつながっています。お手元のリンク全体を開いてください。',
    },
    notFound: {
      title: 'リンクが見つかりません',
      text: 'リンクが存在しないか、削除されています。アドレスをご確認ください。',
    },
    expired: {
      title: 'リンクの有効期限が切れています',
      text: 'このリンクの有効期間は終了しました。',
    },
    usedUp: {
      title: 'リンクの利用上限に達しました',
      text: 'このリンクを開ける回数の上限に達したため、ご利用いただけません。',
    },
    disabled: {
      title: 'リンクは無効になっています',
      text: 'このリンクは無効化されたため、ご利用いただけません。',
    },
    methodNotAllowed: {
      title: '許可されていないリクエストです',
      text: 'このアドレスではGETリクエストのみご利用いただけます。ブラウザでリンクを開いてください。',
    },
    badRequest: {
      title: 'リクエストを処理できませんでした',
      text: 'ブラウザでリンクをもう一度開き、ページのボタンを押してください。',
    },
    tooManyRequests: {
      title: 'アクセスが集中しています',
      text: 'ご利用のネットワークからのアクセスが多すぎます。1分ほど待ってから、もう一度お試しください。',
    },
    unavailable: {
      title: 'もう一度お試しください',
      text: '現在このページを表示できません。数秒後にもう一度お試しください。',
    },
  },
  password: {
    title: 'パスワードを入力してください',
    text: 'このリンクはパスワードで保護されています。',
    label: 'パスワード',
    submit: '続ける',
    wrong: 'パスワードが正しくありません。もう一度入力してください。',
    tooOften: (minutes) => `パスワードの入力ミスが上限に達しました。${minutes}分後にもう一度お試しください。`,
  },
  ad: {
    leadsTo: 'このリンクの移動先',
    countdown: (seconds) => `${seconds}秒後に移動します`,
    now: '今すぐ移動',
    stay: 'このページにとどまる',
    stayed: 'ご都合のよいときに移動してください。',
  },
  app: {
    unnamed: 'アプリ',
    opensInApp: 'このリンクはアプリで開きます。',
    choices: 'リンクの開き方',
    open: 'アプリで開く',
    store: 'アプリを入手',
    browser: 'ブラウザで続ける',
  },
  preview: { next: '続ける' },
  optOut: {
    unnamed: '送信者',
    ask: (channel, who) => `${who}からの${MESSAGES[channel]}の配信を停止しますか？`,
    effect: (channel, who, value) =>
      `配信を停止すると、${value} 宛てに${who}からの${MESSAGES[channel]}が届かなくなります。`,
    enter: (channel, who) =>
      `${channel === 'EMAIL' ? 'メールアドレス' : '電話番号'}を入力すると、${who}からの${MESSAGES[channel]}の配信を停止できます。`,
    phone: '電話番号',
    email: 'メールアドレス',
    notAPhone: '電話番号が正しくありません。市外局番から入力してください。',
    notAnEmail: 'メールアドレスが正しくありません。もう一度ご確認ください。',
    submit: '配信を停止する',
    done: '配信を停止しました',
    doneEffect: (channel, who, value) =>
      `今後、${value} 宛てに${who}からの${MESSAGES[channel]}は届きません。`,
    undo: '配信停止を取り消す',
    undone: '配信停止を取り消しました',
    undoneEffect: (channel, who, value) =>
      `${value} 宛てに${who}からの${MESSAGES[channel]}が再び届くことがあります。`,
    tooLate: '取り消し可能な時間を過ぎました',
    tooLateText: (who) =>
      `このページで配信停止を取り消せるのは10分以内です。再び受け取りたい場合は、${who}までお問い合わせください。`,
  },
};
