// The accumulation that this compilation of the kernels uses.
#if SWIFTLET_I8MM
  typealias SelectedAccumulation = MatrixAccumulation
#elseif SWIFTLET_DOTPROD
  typealias SelectedAccumulation = LaneAccumulation
#elseif SWIFTLET_NEON
  typealias SelectedAccumulation = WideningAccumulation
#else
  typealias SelectedAccumulation = DotAccumulation<SelectedISA>
#endif
