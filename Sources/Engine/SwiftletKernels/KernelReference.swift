/// What each kernel computes, as plain loops: the oracle of the tests and the definition to read first.
///
/// The members are in `<Family>/<Kernel>+Reference.swift`, next to the kernels they define.
package enum KernelReference {}
