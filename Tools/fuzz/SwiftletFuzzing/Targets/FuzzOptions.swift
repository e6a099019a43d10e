package import SwiftletEngine

/// The options for running models in tests: the single place where limits are set.
package struct FuzzOptions: Sendable {
  /// Small limits, so that a case that reaches them takes milliseconds.
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
  /// The maximum file size; larger files only take time.
  package var maximumFile = 1 << 20

  /// Whether guard pages confine every operator to its own tensors.
  package var isChecked = true
  /// The maximum time of a load or a run. One that takes longer has missed its deadline.
  package var timeout = Duration.seconds(20)

  package init() {}

  /// The options of a program that sets no limits, but with less memory and time, because a debug build takes twenty
  /// times as long.
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
