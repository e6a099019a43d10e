package import SwiftletEngine

/// How models are run when they are tested: the one place where limits are set.
package struct FuzzOptions: Sendable {
  /// Small, so that a case that goes up to them takes milliseconds.
  package var limits: RuntimeOptions.Limits = {
    var limits = RuntimeOptions.Limits()
    limits.tensorBytes = 1 << 20
    limits.arenaBytes = 1 << 24
    limits.foldedConstantBytes = 1 << 20
    limits.foldedBytes = 1 << 22
    limits.stringBytes = 1 << 20
    limits.sessionBytes = 1 << 26
    limits.runWork = .milliseconds(200)
    limits.loadWork = .milliseconds(100)
    limits.operators = 2000
    limits.tensors = 20_000
    limits.subgraphRuns = 1000
    return limits
  }()
  /// Larger files are left out: they only take time.
  package var maximumFile = 1 << 20

  /// Whether every operator is confined to its own tensors.
  package var isChecked = true
  /// A load or a run that takes longer has not looked whether it is to stop.
  package var timeout = Duration.seconds(20)

  package init() {}

  /// As a program runs models that sets no limits, but with less memory and time: a debug build takes twenty times as
  /// long.
  package static let withDefaultLimits: FuzzOptions = {
    var options = FuzzOptions()
    options.limits = RuntimeOptions.Limits()
    options.limits.tensorBytes = 1 << 28
    options.limits.sessionBytes = 1 << 29
    options.limits.runWork = .seconds(1)
    options.isChecked = false
    return options
  }()

  package func runtime(threads: Int, numerics: Numerics) -> RuntimeOptions {
    RuntimeOptions(
      threads: threads, numerics: numerics, limits: limits, timeout: timeout, isProfiling: threads == 1,
      isChecked: isChecked)
  }
}
