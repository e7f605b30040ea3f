import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keepFocus } from '../kit/focus';
import { AwayBanner } from './away-banner';

export function Root() {
  useEffect(keepFocus, []);
  return (
    <>
      <AwayBanner />
      <Outlet />
    </>
  );
}
