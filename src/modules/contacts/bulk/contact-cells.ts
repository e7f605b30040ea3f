import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../common/crypto/encryption';
import { BlindIndexes } from '../../../infrastructure/encryption/blind-indexes';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import type { Contact } from '../contact';
import {
  type ContactJson,
  fromPlainRow,
  type SealedRow,
  searchName,
  type StoredContact,
  toPlainRow,
} from '../contact-row';

type Column = 'phone' | 'email' | 'push_identify';

const COLUMNS: readonly Column[] = ['phone', 'email', 'push_identify'];

export const CONTACT_COLUMNS: readonly EncryptedColumn[] = COLUMNS.map((column) => ({
  table: 'contacts',
  column,
  byOrganization: true,
}));

/** Encrypts contacts for the table, decrypts them, and computes their blind indexes. */
@Injectable()
export class ContactCells {
  constructor(
    private readonly encryption: Encryption,
    private readonly indexes: BlindIndexes,
    columns: EncryptedColumns,
  ) {
    columns.register(...CONTACT_COLUMNS);
  }

  open(row: StoredContact): Contact {
    return {
      ...fromPlainRow(row),
      phoneNumber: this.decrypt(row, 'phone'),
      email: this.decrypt(row, 'email'),
      pushIdentify: this.decrypt(row, 'push_identify'),
    };
  }

  seal(contact: Contact): ContactJson {
    const { organizationId, phoneNumber, email, name } = contact;
    return {
      ...toPlainRow(contact),
      ...this.phoneCells(organizationId, phoneNumber),
      ...this.emailCells(organizationId, email),
      phone: this.encrypt(contact, 'phone', phoneNumber),
      email: this.encrypt(contact, 'email', email),
      push_identify: this.encrypt(contact, 'push_identify', contact.pushIdentify),
      search_name: name === null ? null : searchName(name),
    };
  }

  phoneIndex(organizationId: number, phone: string): Buffer {
    return this.indexes.of(organizationId, 'phone', phone);
  }

  last4Index(organizationId: number, digits: string): Buffer {
    return this.indexes.of(organizationId, 'phone.last4', digits);
  }

  emailIndex(organizationId: number, email: string): Buffer {
    return this.indexes.of(organizationId, 'email', email);
  }

  localPartIndex(organizationId: number, localPart: string): Buffer {
    return this.indexes.of(organizationId, 'email.local', localPart);
  }

  domainIndex(organizationId: number, domain: string): Buffer {
    return this.indexes.of(organizationId, 'email.domain', domain);
  }

  private phoneCells(
    organizationId: number,
    phone: string | null,
  ): Pick<SealedRow, 'phone_index' | 'phone_last4_index'> {
    if (phone === null) return { phone_index: null, phone_last4_index: null };
    return {
      phone_index: hex(this.phoneIndex(organizationId, phone)),
      phone_last4_index: hex(this.last4Index(organizationId, phone.slice(-4))),
    };
  }

  private emailCells(
    organizationId: number,
    email: string | null,
  ): Pick<SealedRow, 'email_index' | 'email_local_index' | 'email_domain_index'> {
    if (email === null) return { email_index: null, email_local_index: null, email_domain_index: null };
    const at = email.lastIndexOf('@');
    return {
      email_index: hex(this.emailIndex(organizationId, email)),
      email_local_index: hex(this.localPartIndex(organizationId, email.slice(0, at))),
      email_domain_index: hex(this.domainIndex(organizationId, email.slice(at + 1))),
    };
  }

  private encrypt({ organizationId, id }: Contact, column: Column, value: string | null): string | null {
    if (value === null) return null;
    return this.encryption.encrypt(value, { table: 'contacts', column, organizationId, rowId: id });
  }

  private decrypt(row: StoredContact, column: Column): string | null {
    const value = row[column];
    if (value === null) return null;
    const { organization_id: organizationId, id: rowId } = row;
    return this.encryption.decrypt(value, { table: 'contacts', column, organizationId, rowId });
  }
}

/** The text form of bytea, for JSON. */
function hex(index: Buffer): string {
  return `\\x${index.toString('hex')}`;
}
