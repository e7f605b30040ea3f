import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Checks = ReturnType<Storage['getTargetValidationMetadatas']>;
type Finding = Parameters<Storage['getTargetValidationMetadatas']>;

/**
 * Makes class-validator cache the checks of a class. Otherwise it collects them from all classes for every object,
 * which costs as much as the validation. Validation groups are ignored, because no atom uses them.
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
