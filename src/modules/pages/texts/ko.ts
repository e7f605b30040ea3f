import type { Texts } from './texts';

const MESSAGES = { SMS: '광고 문자', EMAIL: '광고 이메일', WHATSAPP: 'WhatsApp 광고 메시지' };
/** The same in the objective case. */
const MESSAGES_AS_OBJECT = { SMS: '광고 문자를', EMAIL: '광고 이메일을', WHATSAPP: 'WhatsApp 광고 메시지를' };
const PLACES = { SMS: '번호', EMAIL: '주소', WHATSAPP: '번호' };

export const ko: Texts = {
  messages: {
    root: {
      title: '단축 링크 주소입니다',
      text: '이 주소의 링크는 다른 페이지로 연결됩니다. 받으신 링크의 전체 주소를 열어 주세요.',
    },
    notFound: {
      title: '링크를 찾을 수 없습니다',
      text: '존재하지 않거나 삭제된 링크입니다. 주소를 다시 확인해 주세요.',
    },
    expired: {
      title: '만료된 링크입니다',
      text: '이 링크의 이용 기간이 종료되었습니다.',
    },
    usedUp: {
      title: '이용 횟수를 초과한 링크입니다',
      text: '이 링크를 열 수 있는 횟수가 모두 소진되었습니다.',
    },
    disabled: {
      title: '사용이 중지된 링크입니다',
      text: '이 링크는 사용이 중지되었습니다.',
    },
    methodNotAllowed: {
      title: '허용되지 않은 요청입니다',
      text: '이 주소에서는 GET 요청만 사용할 수 있습니다. 브라우저에서 링크를 열어 주세요.',
    },
    badRequest: {
      title: '요청을 처리하지 못했습니다',
      text: '브라우저에서 링크를 다시 연 다음 페이지의 버튼을 눌러 주세요.',
    },
    tooManyRequests: {
      title: '요청이 너무 많습니다',
      text: '이용 중인 네트워크에서 요청이 너무 많이 발생했습니다. 1분 후에 다시 시도해 주세요.',
    },
    unavailable: {
      title: '잠시 후 다시 시도해 주세요',
      text: '지금은 페이지를 열 수 없습니다. 몇 초 후에 다시 시도해 주세요.',
    },
  },
  password: {
    title: '비밀번호를 입력해 주세요',
    text: '비밀번호로 보호된 링크입니다.',
    label: '비밀번호',
    submit: '확인',
    wrong: '비밀번호가 올바르지 않습니다. 다시 입력해 주세요.',
    tooOften: (minutes) => `비밀번호를 여러 번 잘못 입력하셨습니다. ${minutes}분 후에 다시 시도해 주세요.`,
  },
  ad: {
    leadsTo: '이 링크는 다음 페이지로 연결됩니다',
    countdown: (seconds) => `${seconds}초 후 이동합니다`,
    now: '바로 이동',
    stay: '이 페이지에 머무르기',
    stayed: '원하실 때 이동해 주세요.',
  },
  app: {
    unnamed: '앱',
    opensInApp: '이 링크는 앱에서 열립니다.',
    choices: '링크를 여는 방법',
    open: '앱에서 열기',
    store: '앱 설치하기',
    browser: '브라우저에서 계속하기',
  },
  preview: { next: '계속하기' },
  optOut: {
    unnamed: '발신자',
    ask: (channel, who) => `${who}에서 보내는 ${MESSAGES[channel]} 수신을 거부하시겠습니까?`,
    effect: (channel, who, value) =>
      `수신을 거부하시면 ${value} ${PLACES[channel]}로 ${who}의 ${MESSAGES_AS_OBJECT[channel]} 더 이상 보내지 않습니다.`,
    enter: (channel, who) =>
      `${channel === 'EMAIL' ? '이메일 주소를' : '전화번호를'} 입력하시면 해당 ${PLACES[channel]}로 ` +
      `${who}의 ${MESSAGES_AS_OBJECT[channel]} 더 이상 보내지 않습니다.`,
    phone: '전화번호',
    email: '이메일 주소',
    notAPhone: '올바른 전화번호가 아닙니다. 지역번호를 포함한 전체 번호를 입력해 주세요.',
    notAnEmail: '올바른 이메일 주소가 아닙니다. 다시 확인해 주세요.',
    submit: '수신 거부',
    done: '수신 거부가 완료되었습니다',
    doneEffect: (channel, who, value) =>
      `앞으로 ${value} ${PLACES[channel]}로 ${who}의 ${MESSAGES_AS_OBJECT[channel]} 보내지 않습니다.`,
    undo: '수신 거부 취소',
    undone: '수신 거부가 취소되었습니다',
    undoneEffect: (channel, who, value) =>
      `${value} ${PLACES[channel]}로 ${who}의 ${MESSAGES_AS_OBJECT[channel]} 다시 보낼 수 있습니다.`,
    tooLate: '취소할 수 있는 시간이 지났습니다',
    tooLateText: (who) =>
      `이 페이지에서는 10분 이내에만 수신 거부를 취소할 수 있습니다. 메시지를 다시 받으시려면 ${who}에 문의해 주세요.`,
  },
};
