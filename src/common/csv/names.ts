/** Names of columns for phone numbers, in order of preference. */
export const PHONE_NAMES: readonly string[] = [
  'phoneNumber',
  'phone',
  'mobile',
  'mobilePhone',
  'mobilePhoneNumber',
  'mobileNumber',
  'cell',
  'cellPhone',
  'cellPhoneNumber',
  'cellNumber',
  'telephone',
  'telephoneNumber',
  'tel',
  'phoneNo',
  'msisdn',
  'phone1Value',
  '휴대폰',
  '휴대폰번호',
  '휴대전화',
  '휴대전화번호',
  '핸드폰',
  '전화번호',
  '연락처',
];

/** Names of columns for e-mail addresses, in order of preference. */
export const EMAIL_NAMES: readonly string[] = [
  'email',
  'emailAddress',
  'mail',
  'mailAddress',
  'email1Value',
  '이메일',
  '이메일주소',
  'e메일',
];
