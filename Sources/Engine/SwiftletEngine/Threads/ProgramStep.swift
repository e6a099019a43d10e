/// One stage of one node of a program.
struct ProgramStep: Sendable {
  var stage: PreparedOperator.Stage
  /// The same for one thread alone.
  var alone: PreparedOperator.Stage
  /// Earlier steps that must be finished first.
  var dependencies: [Int]
  /// The position of the node in the program.
  var node: Int
  /// What it takes of one thread, in nanoseconds, by estimate.
  var work: Double
}
