// The package manager wants a source file of every C module.
#include "swiftlet_synchronization.h"
