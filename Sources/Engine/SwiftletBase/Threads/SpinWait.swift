import CSwiftletBase

/// Waits for some tens of nanoseconds, for a loop that looks for what another thread writes.
///
/// Two threads often share a core, in the cloud nearly always where there are two of them: a loop without such waits
/// takes half of the core from the thread that it waits for.
package func spinWait() { swiftlet_spin_wait() }
