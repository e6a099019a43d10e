/// The reference implementation of each kernel as plain loops. Tests use it as the oracle; read it first as the
/// kernel's definition.
///
/// The members are in `<Family>/<Kernel>+Reference.swift`, next to the kernels that they define.
package enum KernelReference {}
