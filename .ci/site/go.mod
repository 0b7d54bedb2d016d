module github.com/causeway-sim/causeway/.ci/site

go 1.26.0

require github.com/yuin/goldmark v1.8.7
