import type { Type } from '@nestjs/common';

const PARAMETER_TYPES = 'design:paramtypes';

/**
 * Sets the classes of a handler's parameters, by which requests are validated and documented, where they are known at
 * run time only. Goes directly above the handler.
 * @param types by the parameter's position, from 0
 */
export function ParameterTypes(types: Readonly<Record<number, Type<object>>>): MethodDecorator {
  return (target, method) => {
    const declared = Reflect.getMetadata(PARAMETER_TYPES, target, method) as unknown[];
    const known = declared.map((type, i) => types[i] ?? type);
    Reflect.defineMetadata(PARAMETER_TYPES, known, target, method);
  };
}
