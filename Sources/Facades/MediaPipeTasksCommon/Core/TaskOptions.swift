public import Foundation

/// What the options of all tasks have in common.
#if canImport(ObjectiveC)
  @objc(MPPTaskOptions) @objcMembers
#endif
open class TaskOptions: NSObject, NSCopying {
  /// The model and how it is run. What is assigned is copied; what is read may be changed in place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }

  /// Options with default values, which name no model yet.
  public override init() {}

  /// Independent options of the same class with the same values.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = TaskOptions()
    copy.baseOptions = baseOptions
    return copy
  }
}
