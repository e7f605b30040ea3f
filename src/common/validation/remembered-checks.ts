import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Checks = ReturnType<Storage['getTargetValidationMetadatas']>;
type Finding = Parameters<Storage['getTargetValidationMetadatas']>;

/**
 * Has class-validator remember the checks of a class. For each object, it goes through all classes that have any, as one
 * more may have been declared meanwhile; a request paid as much for that as for being checked. Groups are not told apart:
 * no atom has one.
 */
function rememberChecks(storage: Storage): void {
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<Finding[0], Checks>();
  storage.getTargetValidationMetadatas = (requestClass, ...options) => {
    const checks = known.get(requestClass) ?? find(requestClass, ...options);
    known.set(requestClass, checks);
    return checks;
  };
}

rememberChecks(getMetadataStorage());
