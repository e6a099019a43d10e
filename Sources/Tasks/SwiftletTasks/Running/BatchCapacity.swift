/// How many elements of a batch a task takes.
package struct BatchCapacity: Sendable, Hashable {
  /// The most elements that the task runs on at the same time.
  package var concurrency: Int
  /// The most elements that are read, run on, or finished and not yet requested.
  package var window: Int

  /// Creates a capacity.
  ///
  /// - Parameters:
  ///   - concurrency: The most elements at the same time; 1 or more.
  ///   - window: The most elements in all; 1 or more. What exceeds `concurrency` is read while the task runs.
  package init(concurrency: Int, window: Int) {
    self.concurrency = concurrency
    self.window = window
  }

  /// The capacity of a task whose results depend on earlier elements: an element is read once the result of the one
  /// before was taken.
  package static let oneAfterTheOther = BatchCapacity(concurrency: 1, window: 1)
}
