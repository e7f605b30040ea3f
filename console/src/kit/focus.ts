/** Animation frames to wait for the fields of a section that has just been opened. */
const FRAMES = 60;

/** Focuses the first field with an error, after its section has been opened. */
export function focusFirstError(form: HTMLElement, frames = FRAMES): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-error="true"]');
  // A section that is being closed is still visible.
  if (field?.checkVisibility() && !field.closest('[inert]')) {
    // Password and tag fields set the attribute on their wrapper instead of the input.
    const input = field.matches('input, textarea')
      ? field
      : field.querySelector<HTMLElement>('input, textarea');
    (input ?? field).focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center' });
    return;
  }
  const section = field?.closest('[role="region"][aria-labelledby]')?.getAttribute('aria-labelledby');
  const control = document.getElementById(section ?? '');
  if (control?.getAttribute('aria-expanded') === 'false') control.click();
  if (frames > 0) requestAnimationFrame(() => focusFirstError(form, frames - 1));
}

/** The last focused element; null after a click on empty space. */
let last: HTMLElement | null = null;

/** The element to focus after something is closed: for a menu item, the menu's button. */
export function focusedNow(): HTMLElement | null {
  // With reduced motion, a menu closes before the dialog of its item opens.
  const active = document.activeElement === document.body ? last : document.activeElement;
  const menu = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const button = document.getElementById(menu ?? '');
  return button ?? (active instanceof HTMLElement ? active : null);
}

export function giveBackFocus(to: HTMLElement | null): void {
  if (to?.isConnected && to.checkVisibility()) to.focus({ preventScroll: true });
}

/** Time within which dialogs and menus move the focus themselves after they open or close. */
const SETTLED_MS = 120;

/**
 * Restores the focus when the focused element is removed or disabled for a while: to that element, or to the dialog or
 * the page's content.
 * @returns a function that stops this
 */
export function keepFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remember = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement ? target : null;
  };
  // A click on empty space removes the focus intentionally; one in the menu of the focused item does not.
  const forget = ({ target }: PointerEvent) => {
    const menu = last?.closest('[role="menu"]');
    if (!(target instanceof Node && menu?.contains(target))) last = null;
  };
  const check = () => {
    if (last === null || document.activeElement !== document.body) return;
    if (last.isConnected && last.checkVisibility()) {
      last.focus({ preventScroll: true });
      return;
    }
    const dialogs = document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]');
    const place = Array.from(dialogs).at(-1) ?? document.querySelector('main');
    place?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (last === null || document.activeElement !== document.body) return;
    clearTimeout(timer);
    timer = setTimeout(check, SETTLED_MS);
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', forget);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'style'] });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', forget);
  };
}
