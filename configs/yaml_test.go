package configs_test

import _ "github.com/causeway-sim/causeway/configs/yaml"
